"""Lessons as agents write them down: each group is one lesson in several wordings, no two groups are the same one.

Made up by hand for these tests. Some groups are about one thing but teach another, and some deny each other.
"""

GROUPS = {
    "time zone": (
        "Check the time zone before scheduling a meeting",
        "Always verify the time zone when you schedule meetings",
        "Scheduled the meeting in the wrong time zone; check the time zone first",
    ),
    "attendees": (
        "Ask who has to attend before scheduling a meeting",
        "Scheduled a meeting without asking who has to attend",
    ),
    "tests before deploy": (
        "Run the test suite before deploying to production",
        "Deployed to production before the test suite had run",
        "Always run the full test suite before you deploy",
    ),
    "friday": ("Never deploy on a Friday", "Do not deploy on Fridays"),
    "deploy on friday allowed": ("Deploy on a Friday when the on-call engineer agrees",),
    "currency": (
        "Quote prices in the customer's currency",
        "Quoted the price in USD instead of the customer's currency",
        "The price must be quoted in the currency of the customer",
    ),
    "discount": (
        "Ask a manager before you give a customer a discount of 20%",
        "Ask a manager before giving a 15% discount",
    ),
    "paths": (
        "Use absolute paths in cron jobs",
        "The cron job failed because of a relative path; use absolute paths",
    ),
    "limit": ("The export API returns at most 100 rows per page", "The export API returns at most 500 rows per page"),
    "invented citation": (
        "Never invent a citation; look up the paper first",
        "Invented a citation for a paper that does not exist",
        "Do not cite a paper without looking it up first",
    ),
    "發票抬頭": (
        "開發票前要先確認公司抬頭與統一編號",
        "發票抬頭要先跟客戶確認，統一編號也要核對",
        "開立發票之前沒有確認客戶的抬頭和統一編號",
    ),
    "發票寄送": ("電子發票要寄到客戶的信箱，不要寄給業務", "電子發票不要寄給業務，要寄到客戶信箱"),
    "時區": (
        "排會議前先確認對方的時區",
        "安排會議之前要確認對方所在的時區",
        "會議時間排錯，因為沒確認對方的時區",
    ),
    "退款": ("退款超過 3000 元要先問主管", "退款金額超過 5000 元必須先請示主管"),
    "簡體": (
        "回答之前先查证数据的来源",
        "引用数据之前必须查证来源",
        "回答里的数据没有查证来源",
    ),
    "備份": ("刪除資料表之前一定要先備份", "刪除資料表前沒有先備份", "資料表刪除以前務必備份"),
    "不刪": ("不要刪除正式環境的資料表",),
    "納期": (
        "納期を答える前に在庫を確認すること",
        "在庫を確認せずに納期を回答してしまった",
        "納期の回答前に必ず在庫を確認する",
    ),
    "敬語": ("お客様へのメールでは敬語を使う", "お客様宛てのメールは必ず敬語で書く"),
    "本番": ("本番環境で直接データを変更しない", "本番環境のデータを直接変更してはいけない"),
    "배송": (
        "배송일을 안내하기 전에 재고를 확인해야 한다",
        "재고를 확인하지 않고 배송일을 안내했다",
        "배송일 안내 전에는 반드시 재고 확인",
    ),
    "개인정보": ("고객의 개인정보를 외부 채널에 올리지 않는다", "외부 채널에 고객 개인정보를 올리면 안 된다"),
}

HELD_OUT = {
    "units": (
        "Convert millimetres to inches before sending drawings to US suppliers",
        "Drawings for US suppliers were sent in millimetres; convert to inches before sending",
        "US suppliers need drawings converted from millimetres to inches",
    ),
    "backup restore": (
        "Verify that a backup can be restored before deleting the old one",
        "Deleted the old backup before verifying that the new one can be restored",
    ),
    "drawings approved": ("Drawings need a signature before they are sent to suppliers",),
    "retry": (
        "Do not retry a payment that timed out; look up its status first",
        "A payment that timed out was retried without looking up its status first: never retry it",
    ),
    "名單": (
        "寄電子報之前要先剔除退訂名單",
        "寄出電子報前沒有剔除退訂的名單",
        "電子報寄送前務必先把退訂名單剔除",
    ),
    "合約": ("合約金額要用大寫國字填寫", "合約上的金額必須以大寫國字填寫"),
    "合約印章": ("合約要蓋公司大小章才能寄出",),
    "权限": ("给实习生开权限之前要先问主管", "没有问主管就给实习生开了权限"),
    "議事録": (
        "議事録は会議の当日中に送る",
        "会議の議事録を当日中に送らなかった",
        "議事録は必ず会議当日中に送ること",
    ),
    "請求書": ("請求書の宛名は正式な社名で書く", "請求書の宛名を略称で書いてしまった。正式な社名で書く"),
    "환불": ("환불은 결제 수단을 확인한 뒤에 처리한다", "결제 수단을 확인하지 않고 환불을 처리했다"),
    "회의록": ("회의록은 회의 당일에 공유한다", "회의 당일에 회의록을 공유하지 않았다"),
}
"""Written after the thresholds were set."""
